#!/bin/sh
# Makes an image of a release archive: build.sh [--slim] <archive> <tag>. Needs mmdebstrap and buildah. --slim leaves out ffmpeg,
# and with it stills, MP4, transcoders, HLS and SRT.
set -eu
slim=no
if [ "${1:-}" = --slim ]; then slim=yes; shift; fi
archive=${1:?usage: build.sh [--slim] <archive> <tag>}
tag=${2:?usage: build.sh [--slim] <archive> <tag>}
here=$(dirname "$(readlink -f "$0")")
name=$(basename "$archive" .tar.gz)
case "$name" in
  *-linux-x64) arch=amd64 ;;
  *-linux-arm64) arch=arm64 ;;
  *) echo "$archive does not have the name of a release, relaydeck-<version>-linux-<x64|arm64>.tar.gz" >&2; exit 1 ;;
esac
packages=libc6,libstdc++6,tini,ca-certificates,dash,coreutils,tar,gzip
if [ "$slim" = no ]; then packages=$packages,ffmpeg; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Times inside are that of the commit, so that the same packages make the same image.
SOURCE_DATE_EPOCH=$(tar -xzOf "$archive" "$name/RELEASE.json" | sed -n 's/^ *"time": \([0-9]*\),*$/\1/p')
export SOURCE_DATE_EPOCH
mmdebstrap --quiet --variant=extract --architectures="$arch" --include="$packages" \
  --extract-hook="sh '$here/finish-root.sh' \"\$1\" '$name'" "${DEBIAN_SUITE:-bookworm}" "$work/root.tar"
cp "$archive" "$work/release.tar.gz"
cp "$here/Containerfile" "$work/Containerfile"
# The history of the image has hashes of these files with their times.
touch -d "@$SOURCE_DATE_EPOCH" "$work"/*
buildah build --quiet --isolation "${BUILDAH_ISOLATION:-chroot}" --format docker --arch "$arch" --timestamp "$SOURCE_DATE_EPOCH" \
  --tag "$tag" "$work"
