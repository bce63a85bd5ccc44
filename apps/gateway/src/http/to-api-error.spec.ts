import { expect, it } from '@jest/globals';
import { BadRequestException } from '@nestjs/common';
import { errorCodes } from 'fastify';
import { toApiError } from './to-api-error.js';

const { FST_ERR_CTP_INVALID_JSON_BODY, FST_ERR_CTP_EMPTY_JSON_BODY, FST_ERR_CTP_INVALID_CONTENT_LENGTH } = errorCodes;

it.each([
  [
    FST_ERR_CTP_INVALID_JSON_BODY,
    'malformed_json',
    'The body is not valid JSON. Check its quotes, commas and brackets, and send it again.',
  ],
  [
    FST_ERR_CTP_EMPTY_JSON_BODY,
    'validation_error',
    'The body is empty. Send a JSON object such as {}, or omit the header "Content-Type".',
  ],
  [
    FST_ERR_CTP_INVALID_CONTENT_LENGTH,
    'validation_error',
    'The body does not have the length that the header "Content-Length" states.',
  ],
])('%o of the body parser gets a message of the gateway', (BodyError, code, message) => {
  const error = new BodyError();
  expect(toApiError(error)).toMatchObject({ code, message });
  expect(toApiError(new BadRequestException(error.message))).toMatchObject({ code, message });
});
