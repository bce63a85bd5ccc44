import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '@millrace/client';
import { client } from '../../../api/client.js';
import { meQuery } from '../../../api/session.js';
import { countOf } from '../../../text/format-count.js';
import type { MenuItem } from '../../../ui/menu.js';
import { useAction } from '../parts/use-action.js';

/** What can be done with a user. Nobody suspends themselves. @param onSuspend begins the question for the reason */
export function useUserActions({ id, email, state }: AdminUser, onSuspend: () => void): MenuItem[] {
  const { data: me } = useQuery(meQuery);
  const resume = useAction({
    run: () => client.adminUsers.resume(id),
    describe: (user) => ({
      title: user.state === 'active' ? `${email} can sign in again` : `${email} is resumed, and still disabled`,
    }),
    failure: `${email} was not resumed`,
  });
  const reset = useAction({
    run: () => client.adminUsers.resetSignIn(id),
    describe: ({ cleared }) => ({ title: `${countOf(cleared, 'failed attempt')} to sign in cleared` }),
    failure: 'The attempts were not cleared',
  });
  const isOther = me?.id !== id;
  return [
    { label: 'Reset the sign-in', icon: 'key', onSelect: () => reset.mutate() },
    ...(state === 'suspended' ? [{ label: 'Resume', icon: 'play', onSelect: () => resume.mutate() } as const] : []),
    ...(state !== 'suspended' && isOther
      ? [{ label: 'Suspend…', icon: 'circleSlash', isDangerous: true, onSelect: onSuspend } as const]
      : []),
  ];
}
