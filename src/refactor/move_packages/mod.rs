//! `move` and `move-file` across packages whose files share one scope: what is used from the other side is named with its package, or
//! imported, if it can be seen from there.

mod border;
mod cross;
mod crossing;
mod cycles;
mod definitions;
mod files;
mod full_names;
mod imported;
mod makers;
mod names;
mod parcel;
mod qualified;
