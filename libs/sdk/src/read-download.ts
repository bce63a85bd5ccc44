/** Bytes of a download. Both numbers start at 0; `end` is included, and defaults to the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface Download {
  body: ReadableStream<Uint8Array>;
  /** Bytes in `body`; null if the server does not report it. */
  size: number | null;
  /** Bytes of the complete file, even if `body` is a range of it. */
  totalSize: number | null;
  /** The name that the server proposes. */
  name: string | null;
}

/** Reads the headers of a download. The body remains a stream. */
export function readDownload(response: Response): Download {
  const size = toNumber(response.headers.get('content-length'));
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return {
    body: response.body ?? new Blob([]).stream(),
    size,
    totalSize: total === undefined ? size : Number(total),
    name: readName(response.headers.get('content-disposition')),
  };
}

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text));

/** `filename*` (RFC 8187) takes precedence over `filename`, which cannot contain all characters. */
function readName(disposition: string | null): string | null {
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition ?? '')?.[1];
  if (extended !== undefined) return decode(extended);
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition ?? '')?.[1];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? /filename\s*=\s*([^;\s"]+)/i.exec(disposition ?? '')?.[1] ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
