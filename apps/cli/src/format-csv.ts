/** Formats a line of CSV (RFC 4180). A missing value is empty, and an empty text is `""`. */
export const formatCsvLine = (values: readonly unknown[]): string => `${values.map(formatValue).join(',')}\n`;

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
