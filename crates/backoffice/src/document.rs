//! A PDF of headings, paragraphs, facts and tables on A4 pages, in the standard Helvetica, which every reader has.

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use service::StaffText;

use crate::texts::written;

const PAGE: (f32, f32) = (595.0, 842.0);
const MARGIN: f32 = 48.0;
const SIZE: f32 = 8.5;
/// From one line to the next, in sizes.
const LEADING: f32 = 1.35;
/// The width of facts' names.
const NAME_WIDTH: f32 = 150.0;
const GAP: f32 = 6.0;

const REGULAR: Name<'static> = Name(b"F1");
const BOLD: Name<'static> = Name(b"F2");

/// The widths of Helvetica's letters from space to tilde, in thousandths of the size (Adobe's metrics).
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556,
    278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,
    611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833,
    556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// Of all other letters: at least as wide as nearly all of them.
const OTHER_WIDTH: u16 = 778;

/// A document that is being written.
pub(crate) struct Document {
    title: String,
    pages: Vec<Content>,
    page: Content,
    /// Where the next line begins, from the bottom.
    y: f32,
}

impl Document {
    pub(crate) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), pages: Vec::new(), page: Content::new(), y: PAGE.1 - MARGIN }
    }

    pub(crate) fn heading(&mut self, text: &str, size: f32) {
        // A heading stays with the first lines below it.
        self.reserve(size * 2.0 + SIZE * LEADING * 4.0);
        self.y -= size;
        for line in wrap(text, PAGE.0 - 2.0 * MARGIN, size) {
            self.line(MARGIN, &line, BOLD, size);
        }
        self.y -= size * 0.2;
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrap(text, PAGE.0 - 2.0 * MARGIN, SIZE) {
            self.reserve(SIZE * LEADING);
            self.line(MARGIN, &line, REGULAR, SIZE);
        }
        self.y -= SIZE * 0.5;
    }

    /// Names and values below a small heading, without empty values.
    pub(crate) fn facts(&mut self, heading: &str, facts: &[(String, &str)]) {
        self.reserve(SIZE * LEADING * 4.0);
        self.line(MARGIN, heading, BOLD, SIZE);
        let widths = [NAME_WIDTH, 0.0];
        for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
            self.row(&widths, 2, &[name.clone(), (*value).to_owned()], REGULAR);
        }
        self.y -= SIZE;
    }

    /// A table of texts; a column of width 0 gets the rest.
    pub(crate) fn table<const N: usize>(
        &mut self,
        columns: [(StaffText, f32); N],
        rows: impl ExactSizeIterator<Item = [String; N]>,
    ) {
        self.table_of_amounts(columns, N, rows);
    }

    /// A table whose cells from a column on are amounts, which end where their column ends.
    pub(crate) fn table_of_amounts<const N: usize>(
        &mut self,
        columns: [(StaffText, f32); N],
        amounts_from: usize,
        rows: impl ExactSizeIterator<Item = [String; N]>,
    ) {
        if rows.len() == 0 {
            return self.paragraph(&written(&StaffText::new("document-none")));
        }
        let widths = columns.each_ref().map(|(_, width)| *width);
        let names = columns.map(|(name, _)| written(&name));
        self.row(&widths, amounts_from, &names, BOLD);
        for row in rows {
            let pages = self.pages.len();
            self.reserve(SIZE * LEADING);
            if self.pages.len() > pages {
                self.row(&widths, amounts_from, &names, BOLD);
            }
            self.row(&widths, amounts_from, &row, REGULAR);
        }
        self.y -= SIZE * 0.5;
    }

    /// One row, with a rule above. A row that is longer than the rest of the page goes on on the next one.
    fn row<const N: usize>(
        &mut self,
        widths: &[f32; N],
        amounts_from: usize,
        cells: &[String; N],
        font: Name<'static>,
    ) {
        let fixed: f32 = widths.iter().sum();
        let rest = PAGE.0 - 2.0 * MARGIN - fixed;
        let width = |width: f32| if width == 0.0 { rest } else { width };
        let lines: Vec<(f32, Vec<String>)> =
            widths.iter().zip(cells).map(|(own, text)| (width(*own), wrap(text, width(*own) - GAP, SIZE))).collect();
        let height = lines.iter().map(|(_, lines)| lines.len()).max().unwrap_or(1);
        self.reserve(SIZE * LEADING);
        self.rule();
        for number in 0..height {
            self.reserve(SIZE * LEADING);
            let (mut x, top) = (MARGIN, self.y);
            for (column, (width, lines)) in lines.iter().enumerate() {
                self.y = top;
                if let Some(line) = lines.get(number) {
                    let indent = if column < amounts_from { 0.0 } else { width - GAP - width_of_text(line) };
                    self.line(x + indent, line, font, SIZE);
                }
                x += width;
            }
            self.y = top - SIZE * LEADING;
        }
    }

    fn rule(&mut self) {
        self.page.save_state();
        self.page.set_line_width(0.4).set_stroke_gray(0.75);
        self.page.move_to(MARGIN, self.y - 1.0).line_to(PAGE.0 - MARGIN, self.y - 1.0).stroke();
        self.page.restore_state();
    }

    fn line(&mut self, x: f32, text: &str, font: Name<'static>, size: f32) {
        self.page.begin_text();
        self.page.set_font(font, size).next_line(x, self.y - size);
        self.page.show(Str(&encode(text)));
        self.page.end_text();
        self.y -= size * LEADING;
    }

    /// Begins another page where less than this height is left.
    fn reserve(&mut self, height: f32) {
        if self.y - height < MARGIN {
            self.end_page();
        }
    }

    fn end_page(&mut self) {
        self.pages.push(std::mem::replace(&mut self.page, Content::new()));
        self.y = PAGE.1 - MARGIN;
    }

    /// The file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.end_page();
        let mut last = 0;
        let mut next = || {
            last += 1;
            Ref::new(last)
        };
        let (catalog, tree, regular, bold, info) = (next(), next(), next(), next(), next());
        let count = self.pages.len();
        let ids: Vec<(Ref, Ref)> = (0..count).map(|_| (next(), next())).collect();
        let mut pdf = Pdf::new();
        let language = format!("{}-ZA", service::staff_language().code());
        pdf.catalog(catalog).pages(tree).lang(TextStr(&language));
        pdf.document_info(info).title(TextStr(&self.title));
        pdf.pages(tree).kids(ids.iter().map(|(page, _)| *page)).count(i32::try_from(count).unwrap_or(i32::MAX));
        for (font, base) in [(regular, Name(b"Helvetica")), (bold, Name(b"Helvetica-Bold"))] {
            pdf.type1_font(font).base_font(base).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        for (number, (mut content, (id, content_id))) in self.pages.into_iter().zip(ids).enumerate() {
            let foot = StaffText::new("document-page")
                .with("title", self.title.as_str())
                .with("number", number + 1)
                .with("count", count);
            let foot = written(&foot);
            content.begin_text();
            content.set_font(REGULAR, SIZE).next_line(MARGIN, MARGIN / 2.0).show(Str(&encode(&foot)));
            content.end_text();
            let mut page = pdf.page(id);
            page.media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1)).parent(tree).contents(content_id);
            page.resources().fonts().pair(REGULAR, regular).pair(BOLD, bold);
            page.finish();
            pdf.stream(content_id, &content.finish());
        }
        pdf.finish()
    }
}

/// Text in Windows' code page 1252, as the fonts have it; what is not in it becomes a question mark.
fn encode(text: &str) -> Vec<u8> {
    text.chars()
        .map(|letter| match letter {
            ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(letter)).unwrap_or(b'?'),
            '€' => 0x80,
            '…' => 0x85,
            '‘' => 0x91,
            '’' => 0x92,
            '“' => 0x93,
            '”' => 0x94,
            '•' => 0x95,
            '–' => 0x96,
            '—' => 0x97,
            _ => b'?',
        })
        .collect()
}

fn width_of(letter: char) -> u16 {
    let place = u32::from(letter).checked_sub(32).and_then(|place| usize::try_from(place).ok());
    place.and_then(|place| WIDTHS.get(place)).copied().unwrap_or(OTHER_WIDTH)
}

/// The width of a line of a table. Digits are as wide in bold.
fn width_of_text(text: &str) -> f32 {
    text.chars().map(|letter| f32::from(width_of(letter))).sum::<f32>() * SIZE / 1000.0
}

/// Breaks a text into lines of at most this width: at blanks where there are some, else within a word.
fn wrap(text: &str, width: f32, size: f32) -> Vec<String> {
    // Bold letters are up to a tenth wider.
    let most = (width / size * 1000.0 * 0.93).max(1000.0);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let (mut line, mut length, mut blank) = (String::new(), 0.0, None);
        for letter in paragraph.chars() {
            let own = f32::from(width_of(letter));
            if length + own > most && !line.is_empty() {
                let rest = blank.map(|at: usize| line.split_off(at)).unwrap_or_default();
                lines.push(std::mem::replace(&mut line, rest.trim_start().to_owned()));
                length = line.chars().map(|letter| f32::from(width_of(letter))).sum();
                blank = None;
            }
            if letter == ' ' {
                blank = Some(line.len());
            }
            line.push(letter);
            length += own;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_breaks_at_blanks_and_loses_nothing() {
        let text =
            "Welcome to MEMEWORLD, a subscription service of Spaza: R3/day incl. VAT. To stop, SMS STOP to 31222.";
        let lines = wrap(text, 120.0, 10.0);
        assert!(lines.len() > 3, "{lines:?}");
        assert_eq!(lines.join(" ").split_whitespace().collect::<Vec<_>>(), text.split(' ').collect::<Vec<_>>());
        let word = "0123456789abcdef".repeat(4);
        assert_eq!(wrap(&word, 60.0, 10.0).concat(), word);
        assert_eq!(wrap("one\ntwo", 200.0, 10.0), ["one", "two"]);
    }

    #[test]
    fn encode_writes_windows_1252() {
        assert_eq!(encode("R3 · é € 😀"), b"R3 \xb7 \xe9 \x80 ?");
    }

    #[test]
    fn long_document_has_several_pages() {
        let mut document = Document::new("Test");
        let rows: Vec<[String; 2]> = (0..400).map(|row| [format!("row {row}"), "x".repeat(200)]).collect();
        document.table([(StaffText::new("fact-day"), 100.0), (StaffText::new("fact-text"), 0.0)], rows.into_iter());
        let file = document.finish();
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-") && text.contains("page 2 of"), "no second page");
        assert!(text.contains("(row 0)") && text.contains("(row 399)"), "rows are missing");
    }
}
