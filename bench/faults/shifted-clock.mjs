// Loaded into a server before it starts. Shifts the server's clock by the milliseconds in the file that SHIFT_FILE
// names. SIGUSR2 makes it read the file again, so that the clock can be changed while the server runs.
import { readFileSync } from 'node:fs';

const RightDate = Date;
let offset = 0;
const look = () => {
  offset = Number(readFileSync(process.env['SHIFT_FILE'] ?? '', 'utf8'));
};
look();
process.on('SIGUSR2', look);

globalThis.Date = class ShiftedDate extends RightDate {
  constructor(...given) {
    if (given.length === 0) super(RightDate.now() + offset);
    else super(...given);
  }
  static now() {
    return RightDate.now() + offset;
  }
};
