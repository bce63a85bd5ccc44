/**
 * Reads CSV (RFC 4180) with a comma, semicolon or tab between fields: whichever is most frequent in the first line. Quoted fields
 * may contain separators, line breaks and doubled quotes. Never fails; what is not closed ends with the text.
 */
export function parseCsv(text: string, maxRows: number): string[][] {
  const separator = findSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let place = 0; place < text.length && rows.length < maxRows; place++) {
    const character = text.charAt(place);
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text.charAt(place + 1) === '"') {
        field += '"';
        place += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) {
      row.push(field);
      field = '';
    } else if (character === '\n') {
      rows.push([...row, field.replace(/\r$/, '')]);
      row = [];
      field = '';
    } else field += character;
  }
  if (rows.length < maxRows && (field !== '' || row.length > 0)) rows.push([...row, field]);
  return rows;
}

function findSeparator(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: line.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}
