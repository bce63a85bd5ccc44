/** Bytes of a download. Both numbers start at 0; `end` is included, and defaults to the last byte. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** The contents of a file. They are read once: from `body`, with `text` or with `bytes`. */
export class Download {
  constructor(
    public body: ReadableStream<Uint8Array>,
    /** Bytes in `body`; null if the server does not report it. */
    readonly size: number | null,
    /** Bytes of the complete file, even if `body` is a range of it. */
    readonly totalSize: number | null,
    /** The name that the server proposes. */
    readonly name: string | null,
  ) {}

  /** The contents as UTF-8, in memory. */
  text(): Promise<string> {
    return new Response(this.body).text();
  }

  /** The contents in memory. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.body).arrayBuffer());
  }
}

/** Reads the headers of a download. The body remains a stream. */
export function readDownload(response: Response): Download {
  const size = toNumber(response.headers.get('content-length'));
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  const body = response.body ?? new Blob([]).stream();
  return new Download(
    body,
    size,
    total === undefined ? size : Number(total),
    readName(response.headers.get('content-disposition')),
  );
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
