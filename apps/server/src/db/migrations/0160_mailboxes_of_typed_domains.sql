-- As before, and a domain stored as it was typed is compared in its ASCII spelling, as `canonicalEmail` returns it: mapped by
-- NFKC, in lower case, without invisible characters, and each label in Punycode (RFC 3492, with its names).
drop index users_by_mailbox;
create or replace function mailbox_of(email text) returns text language plpgsql immutable as $$
declare
  name text := split_part(split_part(email, '@', 1), '+', 1);
  domain text := split_part(email, '@', 2);
  label text;
  labels text[] := '{}';
  codes integer[];
  code integer;
  output text;
  n integer;
  delta integer;
  bias integer;
  basic integer;
  handled integer;
  q integer;
  k integer;
  t integer;
begin
  if octet_length(domain) > length(domain) then
    domain := regexp_replace(
      lower(normalize(domain, NFKC)), '[\u00AD\u034F\u180B-\u180F\u200B\u2060-\u2064\uFE00-\uFE0F\uFEFF]', '', 'g'
    );
    foreach label in array string_to_array(replace(normalize(domain, NFKC), '。', '.'), '.') loop
      codes := array(select ascii(letter) from unnest(string_to_array(label, null)) with ordinality as l (letter, at) order by at);
      output := array_to_string(array(select chr(c) from unnest(codes) with ordinality as l (c, at) where c < 128 order by at), '');
      basic := length(output);
      if basic < length(label) then
        if basic > 0 then output := output || '-'; end if;
        handled := basic;
        n := 128;
        delta := 0;
        bias := 72;
        while handled < length(label) loop
          code := (select min(c) from unnest(codes) c where c >= n);
          delta := delta + (code - n) * (handled + 1);
          n := code;
          foreach code in array codes loop
            if code < n then
              delta := delta + 1;
            elsif code = n then
              q := delta;
              k := 36;
              loop
                t := least(greatest(k - bias, 1), 26);
                exit when q < t;
                output := output || substr('abcdefghijklmnopqrstuvwxyz0123456789', t + (q - t) % (36 - t) + 1, 1);
                q := (q - t) / (36 - t);
                k := k + 36;
              end loop;
              output := output || substr('abcdefghijklmnopqrstuvwxyz0123456789', q + 1, 1);
              delta := delta / case when handled = basic then 700 else 2 end;
              handled := handled + 1;
              delta := delta + delta / handled;
              k := 0;
              while delta > 455 loop
                delta := delta / 35;
                k := k + 36;
              end loop;
              bias := k + 36 * delta / (delta + 38);
              delta := 0;
            end if;
          end loop;
          delta := delta + 1;
          n := n + 1;
        end loop;
        output := 'xn--' || output;
      end if;
      labels := labels || output;
    end loop;
    domain := array_to_string(labels, '.');
  end if;
  if domain in ('gmail.com', 'googlemail.com') then
    return replace(name, '.', '') || '@gmail.com';
  end if;
  return name || '@' || domain;
end
$$;
create index users_by_mailbox on users (mailbox_of(email));
