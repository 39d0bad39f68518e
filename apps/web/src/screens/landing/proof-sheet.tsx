import { Badge } from '../../ui/badge.tsx';
import './proof-sheet.css';

/** An illustration: a workflow as a page, with an editor's marks in its margin. Nothing in it is there to be read out. */
export function ProofSheet() {
  return (
    <div className="proof-sheet" aria-hidden="true">
      <p className="name">Vendor onboarding</p>
      <p className="mono key">vendor-onboarding</p>
      <ol>
        <li>
          <b>1</b>Register the vendor request<small>Priya Nair, 4 hours</small>
        </li>
        <li>
          <i className="mark-in">and&nbsp;bank</i>Collect tax<i className="caret">‸</i> documents
          <small>editor, 2 days</small>
        </li>
        <li>
          <i className="mark-in">60</i>Tier 1 from <s>75</s> points<small>Jonas Weber, 1 day 4 hours</small>
        </li>
        <li>
          <i className="mark-in ring">stet</i>
          <span className="dotted">Second signer is not the requester</span>
          <small>Mara Lindqvist, 3 days</small>
        </li>
        <li>
          <b>5</b>Create the vendor in the ERP<small>Sam Okafor, 4 hours</small>
        </li>
      </ol>
      <p className="signed">
        <Badge tone="live">Live, v8</Badge>
        <span>Approved by Ellen Park, 18 Nov 2026</span>
      </p>
    </div>
  );
}
