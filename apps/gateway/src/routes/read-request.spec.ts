import { expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { addPaymentMethod } from '@millrace/contracts/billing/payment-methods';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import { updateNotification } from '@millrace/contracts/notifications/notifications';
import { stopRun } from '@millrace/contracts/runs/runs';
import { readRequest } from './read-request.js';

const request = (params: object, body: unknown) =>
  ({ params, query: {}, headers: {}, id: 'test', ip: '10.0.0.1', publicOrigin: 'http://a', body }) as FastifyRequest;

it('null counts as no body for an operation without body fields', () => {
  const stop = (body: unknown) => readRequest(stopRun, request({ id: '1' }, body)).body;
  expect([stop(null), stop(undefined)]).toEqual([{}, {}]);
});

it('null is rejected for an operation with body fields, even if all are optional', () => {
  const update = (body: unknown) => readRequest(updateNotification, request({ id: 'a' }, body)).body;
  expect([update(undefined), update({})]).toEqual([{}, {}]);
  expect(detailsIn(() => update(null))).toEqual({ body: expect.stringContaining('object') });
});

it('an error about a sealed body does not contain names of unknown fields', () => {
  const number = '4242424242424242';
  const rejected = () =>
    readRequest(addPaymentMethod, request({}, { card_number: 4.2e15, [number]: '737', more: { [number]: 1 } }));
  expect(rejected).toThrow(ValidationError);
  expect(detailsIn(rejected)).toMatchObject({
    body: 'has an unknown field',
    'body.card_number': expect.any(String),
  });
  expect(JSON.stringify(detailsIn(rejected))).not.toMatch(/42424242|4200000/);
});

function detailsIn(attempt: () => unknown): unknown {
  try {
    return attempt();
  } catch (error) {
    return (error as ValidationError).details;
  }
}
