#!/bin/sh
# Does by hand what the packages of the root would do at their installation: nothing of the root runs. Arguments: root, release.
set -eu
root=$1
release=$2
printf 'root:x:0:0::/root:/usr/sbin/nologin\nrelaydeck:x:990:990::/var/lib/relaydeck:/usr/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\nrelaydeck:x:990:\n' >"$root/etc/group"
# `install`, `upgrade` and `rollback` refuse here.
echo "$release" >"$root/etc/relaydeck-image"
mkdir -p "$root/proc" "$root/sys" "$root/run" "$root/etc/ssl/certs" "$root/usr/local/bin" "$root/var/lib/relaydeck" "$root/tmp"
cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
ln -sf "/opt/$release/bin/relaydeck" "$root/usr/local/bin/relaydeck"
[ -e "$root/bin/sh" ] || ln -s dash "$root/bin/sh"
# Alternatives that ffmpeg needs.
for library in blas lapack; do
  for file in "$root"/usr/lib/*/"$library/lib$library.so.3"; do
    if [ -e "$file" ]; then ln -sf "$library/lib$library.so.3" "$(dirname "$(dirname "$file")")/lib$library.so.3"; fi
  done
done
chown -R 990:990 "$root/var/lib/relaydeck"
chmod 750 "$root/var/lib/relaydeck"
chmod 1777 "$root/tmp"
rm -rf "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale" "$root/etc/resolv.conf" "$root/etc/hostname"
