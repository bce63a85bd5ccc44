import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../../api/client.js';
import { beginSession } from '../../api/session.js';

/**
 * Signs in with the ticket with which Google's sign-in has returned. A ticket is valid once, so it is used once per page.
 * @param onDone called when the session has begun
 * @param onRefused called if the ticket is not valid, to remove it from the address
 */
export function useTicket(ticket: string | undefined, onDone: () => void, onRefused: () => void) {
  const redeem = useMutation({
    mutationFn: (value: string) => beginSession(() => client.google.redeem({ ticket: value })),
    onSuccess: onDone,
    onError: onRefused,
  });
  const used = useRef<string>(undefined);
  const { mutate } = redeem;
  useEffect(() => {
    if (ticket === undefined || used.current === ticket) return;
    used.current = ticket;
    mutate(ticket);
  }, [ticket, mutate]);
  return redeem;
}
