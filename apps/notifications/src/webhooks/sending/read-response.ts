import type { Readable } from 'node:stream';
import type { EgressResponse } from '@millrace/egress/requests/egress-client';
import type { ReceiverResponse } from './attempt.js';

export const MAX_STORED_BYTES = 16 * 1024;

/**
 * Reads the beginning of a response body, which is shown to users. Only the status decides about the delivery, so a body
 * that breaks off or never ends does not matter.
 */
export async function readResponse({ status, headers, body }: EgressResponse): Promise<ReceiverResponse> {
  const bytes = await readBeginning(body);
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_STORED_BYTES));
  const truncated = bytes.length > MAX_STORED_BYTES;
  return { status, headers: toText(headers), body: toStorable(text), truncated };
}

/** @returns up to one byte more than is stored, which shows that the body was truncated */
async function readBeginning(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_STORED_BYTES) break;
    }
  } catch {
    // Keeps the part that arrived.
  }
  body.on('error', () => undefined).destroy();
  return Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES + 1);
}

const toText = (headers: EgressResponse['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toStorable(Array.isArray(value) ? value.join(', ') : value)]],
    ),
  );

/** Postgres cannot store NUL characters. */
const toStorable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
