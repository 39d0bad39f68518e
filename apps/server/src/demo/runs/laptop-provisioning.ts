import { type RunScript, approved, cancelled, done, ran, span } from '../run-script.ts';

const of = { workflow: 'laptop-provisioning', version: 1 };
const image = ran('image', { text: 'Image 24 installed, disk encrypted', image: 24 }, 6);

export const laptopRuns: readonly RunScript[] = [
  {
    ...of,
    name: 'Laptop for R. Osei',
    priority: 'high',
    by: 'sam',
    when: { last: span('21h') },
    acts: [done('sam', '45m', 'need', 'Starts on Monday in Accra, developer model, UK keyboard.')],
  },
  {
    ...of,
    name: 'Laptop for A. Moreau',
    priority: 'medium',
    by: 'priya',
    when: { last: span('1d 4h') },
    acts: [
      done('priya', '1h', 'need', 'Standard model, French keyboard, starts in two weeks.'),
      approved('tomas', '3h', 'agree', 'Nothing in stock with that keyboard.'),
    ],
  },
  {
    ...of,
    name: 'Laptop for L. Sørensen',
    priority: 'low',
    by: 'priya',
    when: { last: span('8h') },
    acts: [
      done('priya', '30m', 'need', 'Replacement, the hinge is broken. Standard model, Danish keyboard.'),
      approved('tomas', '2h', 'agree'),
      done('sam', '1d', 'order', 'From stock, HW-0317.'),
      image,
      done('sam', '3h', 'hand-over', 'Signed for device and charger, and keeps the old bag.'),
      done('jonas', '34m', 'enter', 'HW-0317, warranty for another 26 months.'),
    ],
  },
  {
    ...of,
    name: 'Laptop for D. Kovač',
    priority: 'medium',
    by: 'sam',
    when: { week: 1, day: 'Mon', at: '09:00' },
    acts: [
      done('sam', '20m', 'need', 'Starts next week, developer model, US keyboard.'),
      approved('tomas', '40m', 'agree'),
      done('sam', '1d 1h', 'order', 'Order 88-2041. It came the next day.'),
      image,
      done('sam', '3h', 'hand-over', 'Signed for device, charger and bag.'),
      done('jonas', '30m', 'enter', 'HW-0342, warranty for 36 months.'),
    ],
  },
  {
    ...of,
    name: 'Laptop for C. Ahmadi',
    priority: 'low',
    by: 'priya',
    when: { week: 2, day: 'Wed', at: '10:00' },
    acts: [
      done('priya', '30m', 'need', 'Standard model, German keyboard, starts next month.'),
      approved('tomas', '2h', 'agree'),
      cancelled('priya', '5h', 'The start was postponed to spring.'),
    ],
  },
];
