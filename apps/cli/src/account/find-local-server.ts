import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isLoopback } from './is-loopback.js';

const state = z.object({ address: z.url({ protocol: /^http$/ }) });

/**
 * The address of the `npm run up` whose data directory is named, or lies in the current folder or one above it. The file
 * may have come with somebody else's folder, so one that names another machine is passed over: credentials go there.
 */
export async function findLocalServer(dataDir: string | null, folder: string): Promise<string | null> {
  const places = dataDir === null ? above(folder).map((parent) => join(parent, '.millrace')) : [dataDir];
  for (const place of places) {
    const text = await readFile(join(place, 'state.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const read = state.safeParse(parse(text));
    const address = read.success ? new URL(read.data.address) : null;
    if (address && isLoopback(address)) return address.origin;
  }
  return null;
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
