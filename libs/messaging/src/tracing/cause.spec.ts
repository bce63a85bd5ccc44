import { expect, it } from '@jest/globals';
import { decodeCause, encodeCause } from './cause.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it.each([{}, { requestId: 'r' }, { traceparent }, { requestId: 'r', traceparent }])(
  'a job of BullMQ keeps the cause %j',
  (cause) => expect(decodeCause(encodeCause(cause))).toEqual(cause),
);
