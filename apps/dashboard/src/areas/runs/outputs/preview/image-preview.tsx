import { useEffect, useState } from 'react';

/** An image from its bytes. Only these types are shown, so that a file cannot be anything else. */
export function ImagePreview({
  bytes,
  format,
  name,
}: {
  bytes: Uint8Array<ArrayBuffer>;
  format: string;
  name: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const type = `image/${format.toLowerCase() === 'jpg' ? 'jpeg' : format.toLowerCase()}`;
    const created = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes, format]);
  return (
    <div className="flex justify-center bg-panel p-4">
      {url !== undefined && (
        <img src={url} alt={name} className="max-h-100 min-h-8 min-w-8 max-w-full object-contain" />
      )}
    </div>
  );
}
