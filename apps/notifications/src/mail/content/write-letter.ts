import type { MailContent } from '@millrace/contracts/notifications/mail';
import { writeAccountChanged } from './account-changed.js';
import { writeInvitation } from './invitation.js';
import type { Letter } from './letter.js';
import { writePasswordReset } from './password-reset.js';

export function writeLetter(content: MailContent): Letter {
  switch (content.template) {
    case 'invitation':
      return writeInvitation(content);
    case 'password_reset':
      return writePasswordReset(content);
    case 'account_changed':
      return writeAccountChanged(content);
  }
}
