//! Enums whose values have one name everywhere: in JSON, in scripts, on the command line.

/// Defines such an enum. Each value is written with its name; serde and schemars use the same one.
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "engine", derive(schemars::JsonSchema))]
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
