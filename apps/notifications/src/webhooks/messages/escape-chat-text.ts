/** What turns the direction of text (Unicode, UAX #9), so that a sentence reads otherwise than it is. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const CONTROL_BUT_LINES = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/gu;
/** Ends what would be a mention, and is not seen. */
const NOTHING = '\u200b';
/** Slack knows no way to escape these, and Discord none that Slack would not show. */
const LIKE: Record<string, string> = { '*': '\u2217', '~': '\u223c', '`': "'", _: '\uff3f' };

/** A sentence with names in it as a chat shows it literally, on one line: nobody is mentioned, nothing is a link or in bold. */
export const tameLine = (text: string): string =>
  escape(text.replace(BIDI, '').replace(CONTROL, ' '))
    .replace(/[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (mark) => LIKE[mark] ?? mark)
    .replace(/\](?=[([])|\|(?=\|)/g, `$&${NOTHING}`);

/** Several lines that are to stand in a fence of backticks, and cannot end it. */
export const tameLines = (text: string): string =>
  escape(text.replace(BIDI, '').replace(CONTROL_BUT_LINES, ' ')).replaceAll('`', "'");

/** The three characters that mean something to Slack ("Escaping text"), and what begins a mention elsewhere. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', `@${NOTHING}`);

/** Never inside of an escape. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .replace(/&[a-z]{0,3}$/, '')
    .toWellFormed()}…`;
}
