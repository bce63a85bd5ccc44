import { describe, expect, it } from '@jest/globals';
import { PermanentFailure } from '@millrace/messaging/permanent-failure';
import { judgeSmtpFailure } from './judge-smtp-failure.js';

const judge = (given: object) =>
  judgeSmtpFailure(Object.assign(new Error('550 <ada@x.org> is unknown'), given), 'Mail 7');

describe('a mail server’s answer', () => {
  it.each([
    ['no such mailbox', { responseCode: 550, code: 'EENVELOPE' }],
    ['content refused', { responseCode: 554, code: 'EMESSAGE' }],
    ['an address that cannot be one', { code: 'EENVELOPE' }],
  ])('%s ends the job', (_, given) => {
    expect(judge(given)).toBeInstanceOf(PermanentFailure);
  });

  it.each([
    ['mailbox busy', { responseCode: 450, code: 'EENVELOPE' }],
    ['too many mails', { responseCode: 421, code: 'EPROTOCOL' }],
    ['no connection', { code: 'ESOCKET' }],
    ['no answer', { code: 'ETIMEDOUT' }],
    ['wrong credentials of ours', { responseCode: 535, code: 'EAUTH' }],
    ['credentials wanted', { responseCode: 530, code: 'EENVELOPE' }],
  ])('%s lets it be tried again', (_, given) => {
    expect(judge(given)).not.toBeInstanceOf(PermanentFailure);
  });

  it('is told by its codes, without what the server said', () => {
    const error = judge({ responseCode: 550, code: 'EENVELOPE', command: 'RCPT TO', response: '550 <ada@x.org>' });
    expect(error.message).toBe('Mail 7 was refused for good: 550 EENVELOPE at RCPT TO');
    expect(JSON.stringify({ ...error })).not.toContain('ada');
    expect(error.cause).toBeUndefined();
  });
});
