import { useQueryClient } from '@tanstack/react-query';

/** The first word of the keys of all queries of the area. */
export const AREA_KEY = 'installation';

/** Reads what the page shows again, after something was changed. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [AREA_KEY] });
}
