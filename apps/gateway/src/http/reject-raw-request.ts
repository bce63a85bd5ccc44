import type { Socket } from 'node:net';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** Answers what Node's HTTP parser could not read at all (headers that are too large, no HTTP), in the words of the API. */
export function refuseRawRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = isTooLarge
    ? new ApiError('payload_too_large', 'The headers are too large')
    : new ApiError('validation_error', 'This is not a request that can be read');
  const body = JSON.stringify(problem.toBody());
  const head = [
    `HTTP/1.1 ${isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
