import { isMap, isScalar, parseDocument } from 'yaml';

/** Where the content of a file comes from, as in an export of the server. */
export interface FileMetadata {
  workflow: string;
  version: string;
  version_number: number;
  version_created_date: string;
}

/**
 * Changes the metadata in the text of an exported file. The rest of the text, with its comments and its formatting, stays byte
 * for byte as it is.
 */
export function setMetadata(text: string, metadata: FileMetadata): string {
  const document = parseDocument(text);
  const current = document.getIn(['metadata'], true);
  if (!isMap(current)) return insertMetadata(text, metadata);
  const edits: { start: number; end: number; value: string }[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const node = current.get(key, true);
    // A key without a value, or a value of another kind, has no place where only the value could be replaced.
    if (!isScalar(node) || !node.range || node.range[0] === node.range[1]) {
      for (const [name, one] of Object.entries(metadata)) document.setIn(['metadata', name], one);
      return document.toString({ lineWidth: 0 });
    }
    if (node.value === value) continue;
    const [start, end] = node.range;
    const isQuoted = /^["']/.test(text.slice(start, end));
    edits.push({ start, end, value: isQuoted ? JSON.stringify(value) : String(value) });
  }
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, { start, end, value }) => edited.slice(0, start) + value + edited.slice(end), text);
}

/** Adds the metadata before the data of the workflow. */
function insertMetadata(text: string, metadata: FileMetadata): string {
  const document = parseDocument(text);
  const { contents } = document;
  const data = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'data') : undefined;
  const start = isScalar(data?.key) ? (data.key.range?.[0] ?? 0) : 0;
  const isBlock = isMap(contents) && !contents.flow && (start === 0 || text[start - 1] === '\n');
  if (!isBlock || document.hasIn(['metadata'])) {
    document.setIn(['metadata'], metadata);
    return contents && isMap(contents) && contents.flow
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString({ lineWidth: 0 });
  }
  const lines = Object.entries(metadata).map(([key, value]) => `  ${key}: ${value}\n`);
  return `${text.slice(0, start)}metadata:\n${lines.join('')}${text.slice(start)}`;
}
