import { useState } from 'react';
import type { Run } from '@millrace/client';
import { SearchInput } from '../../../ui/search-input.js';
import { DownloadAll } from './download-all.js';
import { OutputList } from './output-list.js';
import { outputsQuery } from './outputs-query.js';

/** All outputs of a run, of all its steps. */
export function AllOutputs({ run }: { run: Run }) {
  const [search, setSearch] = useState('');
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-2">
        <SearchInput label="Find an output" value={search} onChange={setSearch} className="min-w-0 flex-1" />
        <DownloadAll run={run.id} list={outputsQuery({ run: run.id })} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-3">
        <OutputList
          query={outputsQuery({ run: run.id, ...(search !== '' && { search }) })}
          withNode
          empty={search === '' ? 'The run has no outputs yet.' : 'No output matches.'}
        />
      </div>
    </div>
  );
}
