import { useQuery } from '@tanstack/react-query';
import { useMemberName } from '../../../api/members.js';
import { meQuery } from '../../../api/session.js';

/** The user who started a run. Users who may not list the members of the vault see only themselves by name. */
export function AuthorName({ id, self = 'You' }: { id: string; self?: 'You' | 'you' }) {
  const { data: me } = useQuery(meQuery);
  const known = useMemberName(id);
  const name = me?.id === id ? self : (known ?? 'Another user');
  return (
    <span dir="auto" title={name === 'Another user' ? `User ${id}` : name} className="truncate">
      {name}
    </span>
  );
}
