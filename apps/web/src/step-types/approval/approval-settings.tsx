import { STEP_KINDS, type ApprovalStep } from '@stet/domain/steps';
import { stepsBefore } from '@stet/domain/workflows';
import { useMemo, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CheckField } from '../settings/check-field.tsx';
import { StepSelect } from '../settings/step-select.tsx';
import styles from '../settings/step-settings.module.css';

const MIN_APPROVERS = 1;
const MAX_APPROVERS = 100;

export function ApprovalSettings({ step, steps, onChange }: SettingsProps<ApprovalStep>) {
  const { config } = step;
  const change = (next: ApprovalStep['config']) => onChange({ ...step, config: next });
  const before = useMemo(() => stepsBefore(steps, step.id), [steps, step.id]);
  const [approvers, setApprovers] = useState(
    String(config.minimumApprovers ?? STEP_KINDS.approval.defaults.config.minimumApprovers),
  );
  const count = /^\d{1,3}$/.test(approvers.trim()) ? Number(approvers) : Number.NaN;
  const isCount = count >= MIN_APPROVERS && count <= MAX_APPROVERS;
  return (
    <>
      <div className={styles.stepTwo}>
        <TextField
          label="Minimum approvers"
          inputMode="numeric"
          value={approvers}
          error={isCount ? null : `Enter a whole number from ${MIN_APPROVERS} to ${MAX_APPROVERS}`}
          onChange={(text) => {
            setApprovers(text);
            const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
            if (number >= MIN_APPROVERS && number <= MAX_APPROVERS) change({ ...config, minimumApprovers: number });
          }}
        />
        <StepSelect
          label="When rejected, go back to"
          value={config.onReject || undefined}
          none="Nowhere: the run fails"
          choices={before}
          steps={steps}
          onChange={(id) => change(withSetting(config, 'onReject', id))}
        />
      </div>
      <CheckField
        label="The person who completed the previous step can’t approve"
        checked={config.separateFrom ?? false}
        onChange={(checked) => change(withSetting(config, 'separateFrom', checked || undefined))}
      />
    </>
  );
}
