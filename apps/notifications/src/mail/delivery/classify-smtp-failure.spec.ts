import { describe, expect, it } from '@jest/globals';
import { PermanentFailureError } from '@millrace/messaging/jobs/permanent-failure-error';
import { judgeSmtpFailure } from './classify-smtp-failure.js';
import { RefusedAddress } from './rejected-address-error.js';

const judge = (given: object) =>
  judgeSmtpFailure(Object.assign(new Error('550 <ada@x.org> is unknown'), given), 'Mail 7');

describe('a mail server’s answer', () => {
  it.each([
    ['no such mailbox', { responseCode: 550, code: 'EENVELOPE', command: 'RCPT TO' }],
    ['content refused', { responseCode: 554, code: 'EMESSAGE', command: 'DATA' }],
    ['an address that cannot be one', { code: 'EENVELOPE' }],
  ])('%s ends the job', (_, given) => {
    expect(judge(given)).toBeInstanceOf(PermanentFailureError);
  });

  it.each([
    ['mailbox busy', { responseCode: 450, code: 'EENVELOPE' }],
    ['too many mails', { responseCode: 421, code: 'EPROTOCOL' }],
    ['no connection', { code: 'ESOCKET' }],
    ['no answer', { code: 'ETIMEDOUT' }],
    ['wrong credentials of ours', { responseCode: 535, code: 'EAUTH' }],
    ['credentials wanted', { responseCode: 530, code: 'EENVELOPE' }],
    ['credentials wanted of a recipient', { responseCode: 530, code: 'EENVELOPE', command: 'RCPT TO' }],
    ['a greeting that turns us away', { responseCode: 554, response: '554 5.7.1 on a list', command: 'CONN' }],
    ['a greeting that says no more', { responseCode: 554, response: '554 no', code: 'EPROTOCOL', command: 'CONN' }],
    ['a name of ours', { responseCode: 550, response: '550 no', command: 'EHLO' }],
    ['our address', { responseCode: 550, response: '550 5.7.1 no', code: 'EENVELOPE', command: 'MAIL FROM' }],
    ['our domain', { responseCode: 553, response: '553 5.1.8 no', code: 'EENVELOPE', command: 'MAIL FROM' }],
    ['we may not relay', { responseCode: 550, response: '550 5.7.1 no', code: 'EENVELOPE', command: 'RCPT TO' }],
    ['our key', { responseCode: 550, response: '550 5.7.26 no', code: 'EMESSAGE', command: 'DATA' }],
  ])('%s lets it be tried again', (_, given) => {
    expect(judge(given)).not.toBeInstanceOf(PermanentFailureError);
  });

  it.each([
    ['nobody of that name', { responseCode: 550, response: '550 <ada@x.org> is unknown' }, '550'],
    ['a name that cannot be one', { responseCode: 553, response: '553 no' }, '553'],
    ['no such mailbox, in so many codes', { responseCode: 550, response: '550 5.1.1 <ada@x.org>' }, '550 5.1.1'],
    ['a mailbox that is closed', { responseCode: 550, response: '550-5.2.1 closed' }, '550 5.2.1'],
  ])('to an address, %s, is about that address', (_, given, codes) => {
    const error = judge({ ...given, code: 'EENVELOPE', command: 'RCPT TO' });
    expect(error).toBeInstanceOf(RefusedAddress);
    expect((error as RefusedAddress).codes).toBe(codes);
  });

  it.each([
    ['we are on a list', { responseCode: 550, response: '550 5.7.1 blocked', command: 'RCPT TO' }],
    ['the mailbox is full', { responseCode: 552, response: '552 5.2.2 full', command: 'RCPT TO' }],
    ['the sender is refused', { responseCode: 550, response: '550 no', command: 'MAIL FROM' }],
    ['the text is refused', { responseCode: 550, response: '550 spam', command: 'DATA' }],
    ['come again', { responseCode: 450, response: '450 4.1.1 busy', command: 'RCPT TO' }],
  ])('%s is not about the address', (_, given) => {
    expect(judge({ code: 'EENVELOPE', ...given })).not.toBeInstanceOf(RefusedAddress);
  });

  it('to the text may be about the address, where its code says so', () => {
    expect(judge({ responseCode: 550, response: '550 5.1.1 no such user', command: 'DATA' })).toBeInstanceOf(
      RefusedAddress,
    );
  });

  it('is told by its codes, without what the server said', () => {
    const error = judge({ responseCode: 550, code: 'EENVELOPE', command: 'RCPT TO', response: '550 <ada@x.org>' });
    expect(error.message).toBe('Mail 7 was refused for good: 550 EENVELOPE at RCPT TO');
    expect(JSON.stringify({ ...error })).not.toContain('ada');
    expect(error.cause).toBeUndefined();
  });
});
