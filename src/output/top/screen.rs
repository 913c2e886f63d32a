//! The terminal while something live is drawn on it. However that ends, it is given back as it
//! was: when the screen is dropped, and before a panic says its word.

use std::io::{self, IsTerminal as _};

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use futures_util::StreamExt as _;
use ratatui::DefaultTerminal;

use super::scene::Scene;

/// What the person at the terminal did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Press {
    /// Wants to leave, or is gone.
    Leave,
    /// Something to draw anew for.
    Redraw,
}

/// The whole terminal.
pub(crate) struct Screen {
    terminal: DefaultTerminal,
    keys: EventStream,
}

impl Screen {
    /// Whether there is a terminal to draw on and to read keys from.
    pub(crate) fn is_there() -> bool {
        io::stdout().is_terminal() && io::stdin().is_terminal()
    }

    /// Takes the terminal.
    pub(crate) fn open(coloured: bool) -> io::Result<Self> {
        // What is drawn has been decided already; the environment is not asked a second time.
        crossterm::style::force_color_output(coloured);
        match ratatui::try_init() {
            Ok(terminal) => Ok(Self {
                terminal,
                keys: EventStream::new(),
            }),
            Err(error) => {
                ratatui::try_restore().unwrap_or_default();
                Err(error)
            }
        }
    }

    /// How many lines it has.
    pub(crate) fn height(&self) -> io::Result<u16> {
        Ok(self.terminal.size()?.height)
    }

    /// Draws, at the size that the terminal has now.
    pub(crate) fn draw(&mut self, scene: &Scene<'_>) -> io::Result<()> {
        self.terminal.draw(|frame| scene.draw(frame))?;
        Ok(())
    }

    /// Waits for the next press that means something.
    pub(crate) async fn pressed(&mut self) -> Press {
        loop {
            match self.keys.next().await {
                None | Some(Err(_)) => return Press::Leave,
                Some(Ok(Event::Resize(..))) => return Press::Redraw,
                Some(Ok(Event::Key(key))) if leaves(key) => return Press::Leave,
                Some(Ok(_)) => {}
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::try_restore().unwrap_or_default();
    }
}

fn leaves(key: KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    key.kind != KeyEventKind::Release
        && match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'Q') => true,
            KeyCode::Char('c') => control,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_keys_leave() {
        let press = |code, modifiers| leaves(KeyEvent::new(code, modifiers));
        let none = KeyModifiers::NONE;
        assert!(press(KeyCode::Char('q'), none) && press(KeyCode::Esc, none));
        assert!(press(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert!(!press(KeyCode::Char('c'), none) && !press(KeyCode::Enter, none));
    }
}
