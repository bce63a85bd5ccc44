import { describe, expect, it } from '@jest/globals';
import { PermanentFailureError } from '@millrace/messaging/jobs/job-errors';
import { RejectedAddressError, classifySmtpFailure } from './classify-smtp-failure.js';

const classify = (fields: object) =>
  classifySmtpFailure(Object.assign(new Error('550 <ada@x.org> is unknown'), fields), 'Mail 7');

describe('the response of a mail server', () => {
  it.each([
    ['no such mailbox', { responseCode: 550, code: 'EENVELOPE', command: 'RCPT TO' }],
    ['rejected content', { responseCode: 554, code: 'EMESSAGE', command: 'DATA' }],
    ['an invalid address', { code: 'EENVELOPE' }],
  ])('is final for %s', (_, fields) => {
    expect(classify(fields)).toBeInstanceOf(PermanentFailureError);
  });

  it.each([
    ['mailbox busy', { responseCode: 450, code: 'EENVELOPE' }],
    ['too many mails', { responseCode: 421, code: 'EPROTOCOL' }],
    ['no connection', { code: 'ESOCKET' }],
    ['no response', { code: 'ETIMEDOUT' }],
    ['wrong credentials of the platform', { responseCode: 535, code: 'EAUTH' }],
    ['required credentials', { responseCode: 530, code: 'EENVELOPE' }],
    ['required credentials in response to a recipient', { responseCode: 530, code: 'EENVELOPE', command: 'RCPT TO' }],
    [
      'a greeting that rejects the sending server',
      { responseCode: 554, response: '554 5.7.1 on a list', command: 'CONN' },
    ],
    [
      'a rejecting greeting without an enhanced code',
      { responseCode: 554, response: '554 no', code: 'EPROTOCOL', command: 'CONN' },
    ],
    ['a rejected host name', { responseCode: 550, response: '550 no', command: 'EHLO' }],
    [
      'a rejected sender address',
      { responseCode: 550, response: '550 5.7.1 no', code: 'EENVELOPE', command: 'MAIL FROM' },
    ],
    [
      'a rejected sender domain',
      { responseCode: 553, response: '553 5.1.8 no', code: 'EENVELOPE', command: 'MAIL FROM' },
    ],
    ['refused relaying', { responseCode: 550, response: '550 5.7.1 no', code: 'EENVELOPE', command: 'RCPT TO' }],
    ['a rejected DKIM key', { responseCode: 550, response: '550 5.7.26 no', code: 'EMESSAGE', command: 'DATA' }],
  ])('allows a retry for %s', (_, fields) => {
    expect(classify(fields)).not.toBeInstanceOf(PermanentFailureError);
  });

  it.each([
    ['an unknown name', { responseCode: 550, response: '550 <ada@x.org> is unknown' }, '550'],
    ['an invalid name', { responseCode: 553, response: '553 no' }, '553'],
    ['an unknown mailbox with an enhanced code', { responseCode: 550, response: '550 5.1.1 <ada@x.org>' }, '550 5.1.1'],
    ['a closed mailbox', { responseCode: 550, response: '550-5.2.1 closed' }, '550 5.2.1'],
  ])('to a recipient rejects the address for %s', (_, fields, codes) => {
    const error = classify({ ...fields, code: 'EENVELOPE', command: 'RCPT TO' });
    expect(error).toBeInstanceOf(RejectedAddressError);
    expect((error as RejectedAddressError).codes).toBe(codes);
  });

  it.each([
    ['a block list', { responseCode: 550, response: '550 5.7.1 blocked', command: 'RCPT TO' }],
    ['a full mailbox', { responseCode: 552, response: '552 5.2.2 full', command: 'RCPT TO' }],
    ['a rejected sender', { responseCode: 550, response: '550 no', command: 'MAIL FROM' }],
    ['a rejected text', { responseCode: 550, response: '550 spam', command: 'DATA' }],
    ['a temporary rejection', { responseCode: 450, response: '450 4.1.1 busy', command: 'RCPT TO' }],
  ])('does not reject the address for %s', (_, fields) => {
    expect(classify({ code: 'EENVELOPE', ...fields })).not.toBeInstanceOf(RejectedAddressError);
  });

  it('to the content rejects the address if its enhanced code is about the address', () => {
    expect(classify({ responseCode: 550, response: '550 5.1.1 no such user', command: 'DATA' })).toBeInstanceOf(
      RejectedAddressError,
    );
  });

  it('is reported by its codes, without the server’s text', () => {
    const error = classify({ responseCode: 550, code: 'EENVELOPE', command: 'RCPT TO', response: '550 <ada@x.org>' });
    expect(error.message).toBe('Mail 7 was rejected permanently: 550 EENVELOPE at RCPT TO');
    expect(JSON.stringify({ ...error })).not.toContain('ada');
    expect(error.cause).toBeUndefined();
  });
});
