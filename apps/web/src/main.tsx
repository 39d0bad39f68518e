import { start } from './start.tsx';
import './ui/theme/index.css';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
start(place);
