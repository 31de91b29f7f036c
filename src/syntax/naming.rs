//! Enums whose values have one name everywhere: in JSON, in scripts, on the command line.

/// Defines such an enum. Each value is written with its name; serde and schemars use the same one.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! named_enum {
    ($($definition:tt)*) => { $crate::plain_named_enum! { #[derive(schemars::JsonSchema)] $($definition)* } };
}

/// Defines such an enum, without schemars.
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! named_enum {
    ($($definition:tt)*) => { $crate::plain_named_enum! { $($definition)* } };
}

/// What both have in common.
#[macro_export]
macro_rules! plain_named_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$variant_attribute])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// All values, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name: in JSON, in scripts, on the command line.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// The value of that name.
            pub fn named(name: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|known| known.as_str() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }
    };
}

pub use named_enum;
