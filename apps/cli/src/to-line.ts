/** A text in one line. Other users choose names, so characters that control a terminal, or begin a line, are removed. */
export const toLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
