import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { readResponse, readResponseJson, writeReply } from './rpc-messages.js';

const encode = (text: string) => new TextEncoder().encode(text);
const RESPONSES = [null, 7, '"', { name: 'ä — 😀', 'x"}': [{}] }, { version: 1, response: { response: null } }];

describe('the response of a reply', () => {
  it.each(RESPONSES)('is read as it was written: %j', (response) => {
    const data = encode(writeReply({ response }));
    expect(readResponse(data)).toEqual(response);
    expect(readResponseJson(data).toString()).toBe(JSON.stringify(response));
  });

  it('is found in a part of a larger buffer', () => {
    const data = Buffer.concat([encode('MSG '), encode(writeReply({ response: { a: 1 } })), encode('\r\nMSG')]);
    expect(readResponseJson(new Uint8Array(data.buffer, data.byteOffset + 4, data.length - 9)).toString()).toBe(
      '{"a":1}',
    );
  });

  it('is read from a service of an earlier version, which writes fields behind it', () => {
    const data = encode('{"response":{"a":1},"isDisposed":true,"id":"7"}');
    expect(readResponse(data)).toEqual({ a: 1 });
    expect(readResponseJson(data).toString()).toBe('{"a":1}');
  });

  it('is an error if the reply has one', () => {
    const data = encode(writeReply({ err: { code: 'not_found', message: 'Gone', details: { id: '7' } } }));
    for (const read of [readResponse, readResponseJson])
      expect(() => read(data)).toThrow(new ApiError('not_found', 'Gone', { id: '7' }));
  });
});
