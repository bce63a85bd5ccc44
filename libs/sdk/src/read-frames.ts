export interface Frame {
  id: string | null;
  event: string;
  data: string;
}

/** Parses a stream of server-sent events (WHATWG HTML, section 9.2); comments and frames without data are left out. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let frame = emptyFrame();
  for await (const line of readLines(body)) {
    if (line === '') {
      if (frame.data.length > 0) yield { id: frame.id, event: frame.event, data: frame.data.join('\n') };
      frame = emptyFrame();
    } else {
      takeField(frame, line);
    }
  }
}

interface Draft {
  id: string | null;
  event: string;
  data: string[];
}

const emptyFrame = (): Draft => ({ id: null, event: 'message', data: [] });

function takeField(frame: Draft, line: string): void {
  const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (field === 'data') frame.data.push(value);
  else if (field === 'event') frame.event = value;
  else if (field === 'id' && !value.includes('\0')) frame.id = value;
}

/** Lines end in LF, CR LF or CR; a last line without an end is not complete and not given. */
async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a CR LF.
    const usable = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const lines = usable.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(usable.length);
    yield* lines;
  }
}
