import { describe, expect, it } from '@jest/globals';
import { dataLayout } from '../layout.mjs';
import { mailEnv, mailFolder } from './mail-env.mjs';

const context = (/** @type {NodeJS.ProcessEnv} */ env) => ({ env, layout: dataLayout('/data') });

describe('mailFolder', () => {
  it('is MAIL_DIR, or else a folder of the data directory, and undefined if a mail server is set', () => {
    expect(mailFolder(context({ MAIL_DIR: '/mails' }))).toBe('/mails');
    expect(mailFolder(context({}))).toBe('/data/mail');
    expect(mailFolder(context({ SMTP_URL: 'smtp://mail', MAIL_DIR: '/mails' }))).toBeUndefined();
  });
});

describe('mailEnv', () => {
  it('contains the user’s settings, except empty ones', () => {
    const user = { SMTP_URL: '', MAIL_FROM: 'M <m@x.y>', PORT: '1' };
    expect(mailEnv(context(user))).toEqual({ MAIL_FROM: 'M <m@x.y>', MAIL_DIR: '/data/mail' });
  });
});
