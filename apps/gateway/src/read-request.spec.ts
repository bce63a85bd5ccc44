import { expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { fireHook, rotateHook } from '@millrace/contracts/workflows/hooks';
import { readRequest } from './read-request.js';

const request = (params: object, body: unknown) =>
  ({ params, query: {}, headers: {}, id: 'test', ip: '10.0.0.1', publicOrigin: 'http://a', body }) as FastifyRequest;

it('null is no body, but for an operation that takes any', () => {
  const rotate = (body: unknown) => readRequest(rotateHook, request({ id: 'a' }, body)).body;
  const fire = (body: unknown) => readRequest(fireHook, request({ token: 'a' }, body)).body;
  expect([rotate(null), rotate(undefined)]).toEqual([{}, {}]);
  expect([fire(null), fire(undefined), fire([])]).toEqual([null, {}, []]);
});
