import { Fragment, useMemo } from 'react';
import type { Inline } from '../text/markdown/parse-inline.js';
import { parseMarkdown, type Block } from '../text/markdown/parse-markdown.js';

/** A document in Markdown, as elements of React. HTML in it is shown as text. */
export function Markdown({ source, className = '' }: { source: string; className?: string }) {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  return (
    <div dir="auto" className={`wrap-text max-w-3xl text-sm ${className}`}>
      <Blocks blocks={blocks} />
    </div>
  );
}

const Blocks = ({ blocks }: { blocks: readonly Block[] }) => (
  <div className="flex flex-col gap-2.5">
    {blocks.map((block, at) => (
      <BlockView key={at} block={block} />
    ))}
  </div>
);

function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'heading':
      // The page has headings of its own above those of a document.
      return (
        <p role="heading" aria-level={Math.min(6, block.level + 2)} className="mt-1 font-semibold">
          <Inlines parts={block.children} />
        </p>
      );
    case 'paragraph':
      return (
        <p>
          <Inlines parts={block.children} />
        </p>
      );
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-xs"
        >
          {block.text}
        </pre>
      );
    case 'quote':
      return (
        <blockquote className="border-l-2 border-line-strong pl-3 text-muted">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List className={`flex flex-col gap-1 pl-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}>
          {block.items.map((item, at) => (
            <li key={at}>
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'rule':
      return <hr className="border-line" />;
  }
}

const Inlines = ({ parts }: { parts: readonly Inline[] }) =>
  parts.map((part, at) => (
    <Fragment key={at}>
      <InlineView part={part} />
    </Fragment>
  ));

function InlineView({ part }: { part: Inline }) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'code':
      return <code className="rounded-sm bg-pressed px-1 py-px font-mono text-xs">{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Inlines parts={part.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines parts={part.children} />
        </em>
      );
    case 'link':
      return (
        <a href={part.url} target="_blank" rel="noreferrer noopener" className="link">
          <Inlines parts={part.children} />
        </a>
      );
  }
}
