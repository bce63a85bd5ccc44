import type { ConnectionRecord } from '../document/document.js';

/** A connection by its ends. An empty port: it only orders two nodes. */
export interface ConnectionEnds {
  source: string;
  sourcePort: string;
  target: string;
  targetPort: string;
}

/** Reads `output/<node>/<port>` and `input/<node>/<input>`, the latter with or without a last `/<source>`. */
export function readConnection({ source, destination }: ConnectionRecord): ConnectionEnds | undefined {
  const [from, to] = [splitEnd(source.id, 'output/'), splitEnd(destination.id, 'input/')];
  if (!from || !to) return undefined;
  const tail = `/${from.name}`;
  return {
    source: from.name,
    sourcePort: from.rest,
    target: to.name,
    targetPort: to.rest.endsWith(tail) ? to.rest.slice(0, -tail.length) : to.rest,
  };
}

function splitEnd(id: string, prefix: string): { name: string; rest: string } | undefined {
  if (!id.startsWith(prefix)) return undefined;
  const slash = id.indexOf('/', prefix.length);
  return slash < 0
    ? { name: id.slice(prefix.length), rest: '' }
    : { name: id.slice(prefix.length, slash), rest: id.slice(slash + 1) };
}

export const writeConnection = ({ source, sourcePort, target, targetPort }: ConnectionEnds): ConnectionRecord =>
  sourcePort === '' && targetPort === ''
    ? { source: { id: `output/${source}` }, destination: { id: `input/${target}` } }
    : {
        source: { id: `output/${source}/${sourcePort}` },
        destination: { id: `input/${target}/${targetPort}/${source}` },
      };
