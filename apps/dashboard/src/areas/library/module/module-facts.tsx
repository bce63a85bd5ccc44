import type { ReactNode } from 'react';
import type { ModuleWithNode } from '@millrace/client';
import { useMemberName } from '../../../api/members.js';
import { Time } from '../../../ui/time.js';
import { KIND_LABELS } from '../search.js';

/** Facts beside the docs. */
export function ModuleFacts({ module }: { module: ModuleWithNode }) {
  const author = useMemberName(module.author);
  const { category, container, packages, license_info: license } = module;
  return (
    <dl className="grid w-72 shrink-0 grid-cols-[auto_1fr] content-start gap-x-4 gap-y-2 text-sm max-lg:order-first max-lg:w-full">
      <Fact label="Kind">{KIND_LABELS[module.type]}</Fact>
      <Fact label="Category">{category}</Fact>
      <Fact label="Author">{module.built_in ? undefined : (author ?? module.author)}</Fact>
      <Fact label="Changed">{!module.built_in && <Time value={module.modified_date} />}</Fact>
      <Fact label="Command">{container?.command !== undefined && <Code>{writeCommand(container.command)}</Code>}</Fact>
      <Fact label="Packages">{packages?.apt && <Code>{packages.apt.join(' ')}</Code>}</Fact>
      <Fact label="Network">
        {module.network === undefined ? undefined : module.network ? 'May use it' : 'Has none'}
      </Fact>
      <Fact label="License">{license}</Fact>
      <Fact label="Source">{module.source_url !== undefined && <WebLink url={module.source_url} />}</Fact>
      <Fact label="Docs">{module.doc_link !== undefined && <WebLink url={module.doc_link} />}</Fact>
      <Fact label="In a file">
        <Code>uses: {module.built_in ? module.name : module.id}</Code>
      </Fact>
    </dl>
  );
}

const writeCommand = (command: string | string[]): string =>
  typeof command === 'string' ? command : command.join(' ');

/** A fact without a value is not shown. */
const Fact = ({ label, children }: { label: string; children: ReactNode }) =>
  children !== undefined &&
  children !== false && (
    <>
      <dt className="whitespace-nowrap text-muted">{label}</dt>
      <dd className="wrap-text min-w-0">{children}</dd>
    </>
  );

const Code = ({ children }: { children: ReactNode }) => <code className="font-mono text-xs">{children}</code>;

/** Anyone may write the address, so only one of the web becomes a link. */
const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {url}
    </a>
  ) : (
    url
  );
