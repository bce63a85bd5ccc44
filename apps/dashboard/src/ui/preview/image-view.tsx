import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatBytes } from '../../text/format-bytes.js';
import { ErrorNote } from '../error-note.js';
import { Skeleton } from '../skeleton.js';
import { detectImage } from './detect-format.js';
import { MAX_IMAGE_BYTES, type ReadRange } from './read-range.js';

interface ImageViewProps {
  contentKey: string;
  name: string;
  size: number;
  read: ReadRange;
}

/** An image, which is read as a whole. Scripts in an SVG do not run in an `img` element. */
export function ImageView({ contentKey, name, size, read }: ImageViewProps) {
  const isTooLarge = size > MAX_IMAGE_BYTES;
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', contentKey, 'image'],
    queryFn: ({ signal }) => read({ start: 0, end: size - 1 }, signal),
    enabled: !isTooLarge,
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const url = useObjectUrl(name, data);
  const [isBroken, setBroken] = useState(false);
  if (isTooLarge)
    return (
      <p className="p-4 text-sm text-muted">
        The image is larger than {formatBytes(MAX_IMAGE_BYTES)}. Download it to see it.
      </p>
    );
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} className="mx-3" />;
  if (url === undefined) return <Skeleton />;
  if (isBroken) return <p className="p-4 text-sm text-muted">The browser cannot show this image.</p>;
  return (
    <div className="flex min-h-0 flex-1 items-start justify-center overflow-auto bg-panel p-4">
      <img src={url} alt={name} onError={() => setBroken(true)} className="max-w-full border border-line bg-white" />
    </div>
  );
}

function useObjectUrl(name: string, bytes: Uint8Array | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const type = detectImage(name, bytes) ?? '';
    const created = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [name, bytes]);
  return url;
}
