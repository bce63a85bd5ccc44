import { useQuery } from '@tanstack/react-query';
import type { SessionsMethodsResponse } from '@millrace/client';
import { client } from '../../api/client.js';

/** How users of this installation sign up and sign in; undefined until it is known. */
export const useSignInMethods = (): SessionsMethodsResponse | undefined =>
  useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) => client.sessions.methods({ signal }),
    staleTime: Infinity,
  }).data;
