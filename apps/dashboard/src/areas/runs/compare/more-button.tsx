import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../../../ui/button.js';

type List = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** Requests the next page of a list, if there is one. */
export const MoreButton = ({ list }: { list: List }) =>
  list.hasNextPage && (
    <Button className="mt-3" isPending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
