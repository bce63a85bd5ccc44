import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface StreamEvent {
  id: number;
  event: string;
  data: { unseen_count?: number; title?: string };
}

/** A client of server-sent events that can stop reading without disconnecting. */
export interface OpenStream {
  status: number;
  events: StreamEvent[];
  /** Ids of the received notifications, in order. */
  numbers(): number[];
  pause(): void;
  resume(): void;
  /** Whether the server has ended or broken the stream. */
  isOver(): boolean;
  close(): void;
}

export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const request = get(url, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events: StreamEvent[] = [];
  let rest = '';
  let over = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    events.push(...frames.flatMap(readFrame));
  });
  // A connection that breaks in the middle emits an error.
  response.on('error', () => undefined);
  response.on('close', () => (over = true));
  return {
    status: response.statusCode ?? 0,
    events,
    numbers: () => events.filter(({ event }) => event === 'notification').map(({ id }) => id),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    isOver: () => over,
    close: () => void response.destroy(),
  };
}

/** Returns no event for a comment. */
function readFrame(frame: string): StreamEvent[] {
  const [, id, event = '', data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/s.exec(frame) ?? [];
  return id === undefined ? [] : [{ id: Number(id), event, data: JSON.parse(data) as StreamEvent['data'] }];
}
