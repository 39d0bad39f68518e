import { Sheet } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorSentence } from '../lib/api/api-error.ts';
import { type CsvColumn, type ReadPage, readCsv } from '../lib/csv.ts';
import { counted, formatNumber } from '../lib/format/number.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from './button.tsx';
import { toast } from './toast.ts';
import styles from './export-csv-button.module.css';

type ExportCsvButtonProps<Row> = {
  fileName: string;
  columns: readonly CsvColumn<Row>[];
  readPage: ReadPage<Row>;
};

/** Downloads all pages of a list as a CSV file. Meanwhile, the button shows the number of rows and stops the export. */
export function ExportCsvButton<Row>({ fileName, columns, readPage }: ExportCsvButtonProps<Row>) {
  const [count, setCount] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const exportAll = async () => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setCount(0);
    try {
      const lines = await readCsv(columns, readPage, { signal, onProgress: setCount });
      saveFile(new Blob(lines, { type: 'text/csv;charset=utf-8' }), fileName);
      toast.ok('List exported', counted(lines.length - 1, 'line'));
    } catch (error) {
      if (!signal.aborted) toast.bad('Failed to export the list', errorSentence(error, ''));
    } finally {
      setCount(null);
    }
  };
  return (
    <Button
      className={styles.export}
      icon={Sheet}
      onClick={() => (count === null ? void exportAll() : stop.current.abort())}
    >
      {count === null ? 'Export CSV' : `Stop export (${formatNumber(count)})`}
    </Button>
  );
}
