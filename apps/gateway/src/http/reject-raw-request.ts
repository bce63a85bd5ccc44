import type { Socket } from 'node:net';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** Responds with an API error to requests that Node's HTTP parser cannot read: headers that are too large, or no HTTP. */
export function rejectRawRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = isTooLarge
    ? new ApiError('payload_too_large', 'The request headers are too large. Send fewer or shorter headers.')
    : new ApiError('validation_error', 'The request is not valid HTTP.');
  const body = JSON.stringify(problem.toBody());
  const head = [
    `HTTP/1.1 ${isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
