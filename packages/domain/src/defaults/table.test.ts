import { describe, expect, it } from 'vitest';
import * as table from './table.ts';

describe('the table of business constants', () => {
  it('matches section 9 of the specification', () => {
    expect(table).toMatchObject({
      RUN_LIMITS: { nameMin: 3, nameMax: 100, description: 500 },
      RUN_DEFAULTS: { priority: 'medium' },
      PASSWORD_MINIMUM: 6,
      ORGANIZATION_SLUG_LIMIT: 30,
      INVITATION_MINUTES: 7 * 24 * 60,
      DIFF_LIMITS: { detailed: 200, legacy: 5 },
    });
    expect(table.RUN_NAME_PROBLEMS.short).toContain(` ${table.RUN_LIMITS.nameMin} `);
    expect(table.RUN_NAME_PROBLEMS.long).toContain(` ${table.RUN_LIMITS.nameMax} `);
    expect(table.PASSWORD_TOO_SHORT).toContain(` ${table.PASSWORD_MINIMUM} `);
  });
});
