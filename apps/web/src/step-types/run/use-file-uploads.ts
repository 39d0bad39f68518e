import { FILE_LIMITS, sizeWords } from '@stet/domain/steps';
import { useEffect, useRef, useState } from 'react';
import { errorSentence } from '../../lib/api/api-error.ts';
import { thumbnailOf } from '../../lib/thumbnail.ts';
import { type UploadPlace, discardUpload, uploadFile } from '../../lib/upload-file.ts';
import { type FileEntry, filesIn, typedFiles } from './typed.ts';

/** An upload that isn't complete: the share that is uploaded, from 0 to 1, or why it failed. */
export type FileUpload = { share: number; error: string | null };

/** `fileId` is absent until the server has begun the upload. */
type RunningUpload = { file: File; stop: AbortController; fileId?: string };

/** Identifies a file by its size and name, so that a person who chooses it again continues its upload. */
export const keyOf = ({ name, size }: Pick<FileEntry, 'name' | 'size'>): string => `${size} ${name}`;

type Options = {
  value: string;
  place: UploadPlace | undefined;
  onChange: (text: string) => void;
  /** The maximum number of files, and a sentence about it. */
  limit?: { most: number; sentence: string };
};

const OF_A_STEP = { most: FILE_LIMITS.perStep, sentence: `A step can have at most ${FILE_LIMITS.perStep} files` };

/** The files of a field and their uploads, which are stopped when the form is closed. */
export function useFileUploads({ value, place, onChange, limit = OF_A_STEP }: Options) {
  const entries = filesIn(value);
  const [uploads, setUploads] = useState<ReadonlyMap<string, FileUpload>>(new Map());
  const [thumbs, setThumbs] = useState<ReadonlyMap<string, string>>(new Map());
  const [message, setMessage] = useState('');
  const running = useRef(new Map<string, RunningUpload>());
  // Uploads finish after later renders, so they need the current entries.
  const now = useRef({ entries, onChange });
  useEffect(() => {
    now.current = { entries, onChange };
  });
  useEffect(() => {
    const all = running.current;
    return () => all.forEach(({ stop }) => stop.abort());
  }, []);

  const change = (edit: (list: FileEntry[]) => FileEntry[]) => {
    now.current.entries = edit(now.current.entries);
    now.current.onChange(typedFiles(now.current.entries));
  };
  /** Replaces what is known about a file's upload. The problem is part of the form, so that it is shown after a reload. */
  const changeEntry = (key: string, upload: Pick<FileEntry, 'evidence' | 'problem'>) =>
    change((list) =>
      list.map((entry) => (keyOf(entry) === key ? { name: entry.name, size: entry.size, ...upload } : entry)),
    );
  const show = (key: string, upload: FileUpload | null) =>
    setUploads((shown) => {
      const next = new Map(shown);
      if (upload) next.set(key, upload);
      else next.delete(key);
      return next;
    });

  const start = async (file: File): Promise<void> => {
    if (!place) return;
    const key = keyOf(file);
    const stop = new AbortController();
    const upload: RunningUpload = { file, stop };
    running.current.set(key, upload);
    show(key, { share: 0, error: null });
    changeEntry(key, {});
    try {
      const onProgress = (share: number) => show(key, { share, error: null });
      const onBegun = (fileId: string) => (upload.fileId = fileId);
      const evidence = await uploadFile(file, place, { signal: stop.signal, onBegun, onProgress });
      changeEntry(key, { evidence });
      setMessage(`${file.name} is uploaded`);
      show(key, null);
    } catch (error) {
      if (stop.signal.aborted) return;
      const problem = errorSentence(error, 'The upload failed');
      show(key, { share: 0, error: problem });
      changeEntry(key, { problem });
      setMessage(`${file.name} could not be uploaded`);
    }
  };

  const add = (files: readonly File[]) => {
    if (!place) return;
    for (const file of files) {
      const key = keyOf(file);
      const known = now.current.entries.find((entry) => keyOf(entry) === key);
      if (known?.evidence || (known && running.current.has(key) && !uploads.get(key)?.error)) continue;
      const { name, size } = file;
      if (!known && now.current.entries.length >= limit.most) {
        setMessage(limit.sentence);
        return;
      }
      if (!known) change((list) => [...list, { name, size }]);
      const problem =
        size === 0
          ? 'This file is empty'
          : size > FILE_LIMITS.bytes
            ? `This file is larger than ${sizeWords(FILE_LIMITS.bytes)}`
            : null;
      if (problem) {
        show(key, { share: 0, error: problem });
        changeEntry(key, { problem });
      } else {
        void thumbnailOf(file).then((image) => image && setThumbs((shown) => new Map(shown).set(key, image)));
        void start(file);
      }
    }
  };
  return {
    entries,
    uploads,
    thumbs,
    /** For screen readers. */
    message,
    add,
    retry: (key: string) => {
      const file = running.current.get(key)?.file;
      if (file) void start(file);
    },
    remove: (key: string) => {
      const upload = running.current.get(key);
      const fileId = now.current.entries.find((entry) => keyOf(entry) === key)?.evidence?.fileId ?? upload?.fileId;
      upload?.stop.abort();
      if (fileId !== undefined) discardUpload(fileId);
      running.current.delete(key);
      show(key, null);
      change((list) => list.filter((entry) => keyOf(entry) !== key));
      setMessage('Removed');
    },
  };
}
