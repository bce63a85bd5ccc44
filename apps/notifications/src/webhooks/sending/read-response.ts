import type { Readable } from 'node:stream';
import type { EgressResponse } from '@millrace/egress/egress-client';
import type { Answer } from './attempt.js';

export const MAX_SHOWN = 16 * 1024;

/**
 * The beginning of an answer, which is for people to look at. What counts is the status, and that has come: an answer
 * that breaks off or never ends is as good as one that does not.
 */
export async function readAnswer({ status, headers, body }: EgressResponse): Promise<Answer> {
  const bytes = await readBeginning(body);
  const shown = new TextDecoder().decode(bytes.subarray(0, MAX_SHOWN));
  const truncated = bytes.length > MAX_SHOWN;
  return { status, headers: toText(headers), body: holdable(shown), truncated };
}

/** @returns one byte more than is shown, where there is more */
async function readBeginning(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_SHOWN) break;
    }
  } catch {
    // Shown is what has come.
  }
  body.on('error', () => undefined).destroy();
  return Buffer.concat(chunks).subarray(0, MAX_SHOWN + 1);
}

const toText = (headers: EgressResponse['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, holdable(Array.isArray(value) ? value.join(', ') : value)]],
    ),
  );

/** Postgres holds no NUL. */
const holdable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
