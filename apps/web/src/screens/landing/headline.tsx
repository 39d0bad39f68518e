import './headline.css';

/** 'Stop Drawing.' struck out, 'Start Documenting.' let stand: the product's name in two marks. */
export function Headline() {
  return (
    <h1 className="headline">
      <span className="line">
        <span className="struck">
          Stop Drawing.
          <svg viewBox="0 0 400 76" preserveAspectRatio="none" aria-hidden="true">
            <path vectorEffect="non-scaling-stroke" d="M4 44C70 36 150 47 232 40S350 34 396 39" />
          </svg>
        </span>
      </span>{' '}
      <span className="line">
        <span className="stands">Start Documenting.</span>
      </span>
    </h1>
  );
}
