//! A row of JSON lines. A null is an absent field.

use serde_json::{Map, Value};

use super::layout::Layout;
use crate::cli::fields::{FieldError, Fields, mask, shown};

/// Reads an object into the fields.
pub(super) fn read(mut fields: Fields, line: &str, layout: Layout) -> Result<Fields, FieldError> {
    let object: Map<String, Value> = match serde_json::from_str(line) {
        Ok(object) => object,
        // The error's own text could repeat a secret.
        Err(error) => {
            let why = format!("not a JSON object (at character {})", error.column());
            return Err(fields.unreadable(why));
        }
    };
    if doubled(line, object.len()) {
        return Err(fields.unreadable("a key stands there twice"));
    }
    for (key, value) in object {
        let Some(name) = layout.column(&key) else {
            let why = format!("unknown key {}", shown(&mask(&key)));
            return Err(fields.unreadable(why));
        };
        let text = match value {
            Value::Null => None,
            Value::String(text) => Some(text),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                return Err(fields.wrong(name, "write a string or a whole number"));
            }
            Value::Number(number) if number.is_f64() => {
                return Err(fields.wrong(name, "write decimals as a string: \"41.50\""));
            }
            Value::Number(number) => Some(number.to_string()),
        };
        fields.set(name, text);
    }
    Ok(fields)
}

/// Whether the object's text has more keys than the map that was read from it.
fn doubled(line: &str, distinct: usize) -> bool {
    serde_json::from_str::<Keys>(line).is_ok_and(|keys| keys.0 != distinct)
}

/// Counts an object's keys.
struct Keys(usize);

impl<'de> serde::Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Counter;
        impl<'de> serde::de::Visitor<'de> for Counter {
            type Value = Keys;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = 0;
                while map
                    .next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?
                    .is_some()
                {
                    keys += 1;
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Counter)
    }
}
