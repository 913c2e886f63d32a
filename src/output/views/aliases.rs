//! Bidders' names for the public: per auction, in the order of their first bids.

use std::collections::HashMap;

use crate::auction::PartyId;

/// The aliases given so far.
#[derive(Debug, Default)]
pub(crate) struct Aliases(HashMap<PartyId, usize>);

impl Aliases {
    /// A bidder's alias; the next free one at first sight.
    pub(crate) fn of(&mut self, bidder: &PartyId) -> String {
        let next = self.0.len() + 1;
        let number = *self.0.entry(bidder.clone()).or_insert(next);
        alias(number)
    }

    /// Who acted: by name, unless the name is a bidder's.
    pub(crate) fn actor(&self, actor: &PartyId) -> String {
        self.0
            .get(actor)
            .map_or_else(|| actor.to_string(), |number| alias(*number))
    }

    /// An operator's text, with the names of bidders that stand in it as words of their own
    /// replaced.
    pub(crate) fn masked(&self, text: &str) -> String {
        let mut masked = String::with_capacity(text.len());
        for run in text.split_inclusive(|c| !is_id(c)) {
            let end = run.trim_end_matches(|c| !is_id(c)).len();
            let (word, rest) = run.split_at(end);
            // A full stop or a colon may belong to the sentence.
            let name = word.trim_matches(['.', ':', '-']);
            match self.number_of(word).or_else(|| self.number_of(name)) {
                Some(number) => masked.push_str(&alias(number)),
                None => masked.push_str(word),
            }
            masked.push_str(rest);
        }
        masked
    }

    fn number_of(&self, word: &str) -> Option<usize> {
        self.0
            .iter()
            .find(|(bidder, _)| bidder.as_str().eq_ignore_ascii_case(word))
            .map(|(_, number)| *number)
    }
}

fn alias(number: usize) -> String {
    format!("Bidder {number}")
}

/// A character that a name may have.
fn is_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._:@-".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_text_become_aliases() {
        let mut aliases = Aliases::default();
        let party = |name| PartyId::new(name).unwrap();
        for name in ["theo", "a.b@c", "x-1"] {
            aliases.of(&party(name));
        }
        let masked = |text| aliases.masked(text);
        assert_eq!(
            masked("theo asked; see Theo."),
            "Bidder 1 asked; see Bidder 1"
        );
        assert_eq!(masked("(a.b@c, x-1)"), "(Bidder 2, Bidder 3)");
        assert_eq!(masked("theodor and über-x-10"), "theodor and über-x-10");
        assert_eq!(masked(""), "");
        assert_eq!(aliases.actor(&party("theo")), "Bidder 1");
        assert_eq!(aliases.actor(&party("ops")), "ops");
    }
}
