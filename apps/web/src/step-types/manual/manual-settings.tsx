import type { InputField, ManualStep } from '@stet/domain/steps';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CheckField } from '../settings/check-field.tsx';
import { FieldList } from './field-list.tsx';

export function ManualSettings({ step, tried, onChange }: SettingsProps<ManualStep>) {
  const { config } = step;
  const change = (next: ManualStep['config']) => onChange({ ...step, config: next });
  const changeFields = (fields: InputField[]) =>
    change(withSetting(config, 'fields', fields.length > 0 ? fields : undefined));
  return (
    <>
      <CheckField
        label="A second person must approve the input"
        checked={config.requiresApproval ?? false}
        onChange={(checked) => change(withSetting(config, 'requiresApproval', checked || undefined))}
      />
      <FieldList fields={config.fields ?? []} tried={tried} onChange={changeFields} />
    </>
  );
}
