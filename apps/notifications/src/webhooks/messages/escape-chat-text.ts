/** Characters that change the direction of text (Unicode, UAX #9), so that a sentence reads differently. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const CONTROL_BUT_LINES = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/gu;
/** A zero-width space, which breaks a mention invisibly. */
const ZERO_WIDTH_SPACE = '\u200b';
/** Lookalikes: Slack has no escape for these characters, and would show Discord's. */
const LOOKALIKES: Record<string, string> = { '*': '\u2217', '~': '\u223c', '`': "'", _: '\uff3f' };

/** Escapes a sentence so that a chat shows it literally on one line, without mentions, links or formatting. */
export const escapeChatLine = (text: string): string =>
  escape(text.replace(BIDI, '').replace(CONTROL, ' '))
    .replace(/[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (mark) => LOOKALIKES[mark] ?? mark)
    .replace(/\](?=[([])|\|(?=\|)/g, `$&${ZERO_WIDTH_SPACE}`);

/** Escapes lines for a code block, so that they cannot end it. */
export const escapeChatLines = (text: string): string =>
  escape(text.replace(BIDI, '').replace(CONTROL_BUT_LINES, ' ')).replaceAll('`', "'");

/** Escapes Slack's three control characters ("Escaping text"), and `@`, which begins a mention elsewhere. */
const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', `@${ZERO_WIDTH_SPACE}`);

/** Truncates escaped text, never inside an escape. */
export function truncateEscaped(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .replace(/&[a-z]{0,3}$/, '')
    .toWellFormed()}…`;
}
