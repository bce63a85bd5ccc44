const MAX_NAME_BYTES = 200;

/** What a fetched file is called: the last part of its URL's path, made fit for a file system; `download` without one. */
export function chooseFileName(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  const name = [...decode(last).normalize('NFC')]
    .map((character) => (/[\p{Cc}\p{Cf}\p{Cs}/\\\uFFFD]/u.test(character) ? '_' : character))
    .slice(0, MAX_NAME_BYTES / 4)
    .join('');
  return /^\.*$/.test(name) ? 'download' : name;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
